import android.content.Context
import android.content.SharedPreferences
import android.net.Uri
import android.os.RemoteException
import com.android.billingclient.api.BillingClient
import com.android.billingclient.api.Purchase
import com.android.installreferrer.api.InstallReferrerClient
import java.net.ServerSocket
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.json.JSONArray
import org.json.JSONObject

class Memory : SharedPreferences, SharedPreferences.Editor {
    private val texts = mutableMapOf<String, String?>()
    private val sets = mutableMapOf<String, Set<String>?>()
    private val marks = mutableMapOf<String, Boolean>()

    override fun getString(name: String, fallback: String?): String? = texts[name] ?: fallback
    override fun getStringSet(name: String, fallback: Set<String>?): Set<String>? = sets[name] ?: fallback
    override fun getBoolean(name: String, fallback: Boolean): Boolean = marks[name] ?: fallback
    override fun edit(): SharedPreferences.Editor = this
    override fun putString(name: String, value: String?) = also { texts[name] = value }
    override fun putStringSet(name: String, value: Set<String>?) = also { sets[name] = value }
    override fun putBoolean(name: String, value: Boolean) = also { marks[name] = value }
    override fun remove(name: String) = also {
        // A crash between the two would lose the code.
        val codes = name.replace(Regex("^metacode/[^.]+"), "metacode.codes")
        check(codes == name || codes in texts) { "The key is deleted before the code is stored" }
        texts.remove(name)
    }
    override fun apply() = Unit
    override fun commit(): Boolean {
        check(Thread.currentThread() !== MAIN) { "The main thread waits for the disk" }
        return true
    }
}

val MAIN: Thread = Thread.currentThread()

/** Google Play's service may be away, die during the call or answer; it is asked until it has answered once. */
fun checkInstallReferrer() {
    val store = Memory()
    val found = mutableListOf<Pair<String, String?>>()
    var asked = 0
    val away = { throw SecurityException() }
    val dying = { throw RemoteException() }
    val id = "019aa3c2-7d11-7c52-9d36-5f1a0c9be2f4"
    for (connect in listOf(away, { }, { }, { })) {
        InstallReferrerClient.connect = { asked += 1; connect() }
        InstallReferrerClient.referrer = if (asked < 2) dying else { { "metacode=anna2345&click_id=$id" } }
        InstallReferrerClient.answer = {}
        readInstallReferrer(Context(), store) { metacode, clickId -> found += metacode to clickId }
        InstallReferrerClient.answer()
    }
    check(asked == 3 && found == listOf("anna2345" to id)) { "Install referrer: $asked times, $found" }
}

/** A redeem that the user leaves ends, although the server never answers. */
suspend fun checkCancellation() = withContext(Dispatchers.Default) {
    ServerSocket(0).use { silent ->
        val metacode = Metacode("http://127.0.0.1:${silent.localPort}", Memory()) { emptyMap() }
        val accepted = async(Dispatchers.IO) { silent.accept() }
        val redeem = launch { metacode.redeem("bob", "anna2345") }
        accepted.await().use { connection ->
            withContext(Dispatchers.IO) { connection.getInputStream().read() }
            // Less than the client waits for an answer, so that only its cancellation can end it.
            withTimeout(10_000) { redeem.cancelAndJoin() }
        }
    }
}

/** Only what is paid, granted and new is acknowledged. */
suspend fun checkPurchases() {
    val paid = Purchase.PurchaseState.PURCHASED
    val client = BillingClient(
        listOf(
            Purchase("new", paid, false), Purchase("old", paid, true), Purchase("refused", paid, false),
            Purchase("pending", Purchase.PurchaseState.PENDING, false),
        ),
    )
    acknowledgePurchases(client) { it.purchaseToken != "refused" }
    check(client.acknowledged == listOf("new")) { "Acknowledged: ${client.acknowledged}" }
}

fun main(args: Array<String>) = runBlocking {
    checkInstallReferrer()
    checkCancellation()
    checkPurchases()
    val id = "019aa3c2-7d11-7c52-9d36-5f1a0c9be2f4"
    val links = listOf("r/anna2345?click_id=$id", "r/anna2345.?click_id=mangled", "docs")
        .map { invitationOf(Uri.parse("https://a.example/$it")) }
    check(links == listOf(Invitation("anna2345", id), Invitation("anna2345", null), null)) { "Links: $links" }
    var calls = 0
    val metacode = Metacode(args[0], Memory()) {
        calls += 1
        mapOf("x-api-key" to args[1])
    }
    val anna = metacode.referrer("anna", "Anna")
    val headerCalls = calls
    val (_, offline) = claim(Metacode("http://127.0.0.1:1", Memory()) { emptyMap() }, "eve")
    suspend fun refusalOf(send: suspend () -> Any) = try {
        send()
        null
    } catch (error: MetacodeException) {
        error
    }
    val refused = MutableList(3) { refusalOf { metacode.redeem("bob", anna.metacode) }?.status }
    val requestId = refusalOf { metacode.redeem("carl", "unknown2") }?.requestId
    repeat(2) {
        for (code in metacode.codes("eve")) metacode.remove("eve", code)
        metacode.redeem("eve", anna.metacode)
    }
    val first = metacode.redeem("bob", anna.metacode)
    val (again, words) = redeem(metacode, anna.metacode + " ", "bob", null)
    refused += refusalOf { metacode.claim("anna") }?.status
    val report = JSONObject().put("metacode", anna.metacode).put("code", first.code).put("again", again?.code)
    report.put("words", words).put("rewards", JSONArray(claim(metacode, "anna").first.map { it.code }))
    val codes = JSONObject()
    for (uid in listOf("bob", "anna", "eve")) codes.put(uid, JSONArray(metacode.codes(uid).map { it.code }))
    for (code in metacode.codes("anna")) metacode.remove("anna", code)
    val left = List(2) { claim(metacode, "anna").first.map { it.storeUrl } }.flatten()
    report.put("left", JSONArray(left)).put("headerCalls", headerCalls).put("offline", offline)
    println(report.put("codes", codes).put("refused", JSONArray(refused)).put("requestId", requestId))
}
