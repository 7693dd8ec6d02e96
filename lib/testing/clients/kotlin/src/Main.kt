import android.content.SharedPreferences
import kotlinx.coroutines.runBlocking
import org.json.JSONArray
import org.json.JSONObject

class Memory : SharedPreferences, SharedPreferences.Editor {
    private val texts = mutableMapOf<String, String?>()
    private val marks = mutableMapOf<String, Boolean>()

    override fun getString(name: String, fallback: String?): String? = texts[name] ?: fallback
    override fun getBoolean(name: String, fallback: Boolean): Boolean = marks[name] ?: fallback
    override fun edit(): SharedPreferences.Editor = this
    override fun putString(name: String, value: String?) = also { texts[name] = value }
    override fun putBoolean(name: String, value: Boolean) = also { marks[name] = value }
    override fun remove(name: String) = also { texts.remove(name) }
    override fun apply() = Unit
    override fun commit() = true
}

fun main(args: Array<String>) = runBlocking {
    val metacode = Metacode(args[0], Memory()) { mapOf("x-api-key" to args[1]) }
    val anna = metacode.referrer("anna", "Anna")
    val first = metacode.redeem("bob", anna.metacode)
    val (again, words) = redeem(metacode, anna.metacode + " ", "bob", null)
    val refused = try {
        metacode.claim("anna")
        200
    } catch (error: MetacodeException) {
        error.status
    }
    val report = JSONObject().put("metacode", anna.metacode).put("code", first.code).put("again", again?.code)
    report.put("words", words).put("rewards", JSONArray(claim(metacode, "anna").first.map { it.code }))
    println(report.put("codes", JSONArray(metacode.codes().map { it.code })).put("refused", refused))
}
