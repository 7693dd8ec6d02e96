package android.content

import android.net.Uri

interface SharedPreferences {
    fun getString(name: String, fallback: String?): String?
    fun getStringSet(name: String, fallback: Set<String>?): Set<String>?
    fun getBoolean(name: String, fallback: Boolean): Boolean
    fun edit(): Editor

    interface Editor {
        fun putString(name: String, value: String?): Editor
        fun putStringSet(name: String, value: Set<String>?): Editor
        fun putBoolean(name: String, value: Boolean): Editor
        fun remove(name: String): Editor
        fun apply()
        fun commit(): Boolean
    }
}

class ActivityNotFoundException : RuntimeException()

open class Context {
    fun startActivity(intent: Intent): Unit = Unit
}

class Intent(val action: String, val data: Uri? = null) {
    fun setType(type: String): Intent = this
    fun putExtra(name: String, value: String): Intent = this

    companion object {
        const val ACTION_SEND = "send"
        const val ACTION_VIEW = "view"
        const val EXTRA_TEXT = "text"
        @JvmStatic fun createChooser(intent: Intent, title: String?): Intent = intent
    }
}
