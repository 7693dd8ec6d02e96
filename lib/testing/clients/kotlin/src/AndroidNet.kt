package android.net
class Uri(val text: String) {
    val pathSegments: List<String> get() = java.net.URI(text).path.split("/").filter { it.isNotEmpty() }
    fun getQueryParameter(name: String): String? =
        java.net.URI(text).query?.split("&")?.map { it.split("=") }?.firstOrNull { it[0] == name }?.getOrNull(1)
    companion object { @JvmStatic fun parse(text: String): Uri = Uri(text) }
}
