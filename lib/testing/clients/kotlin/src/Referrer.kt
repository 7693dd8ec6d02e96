package com.android.installreferrer.api
import android.content.Context
interface InstallReferrerStateListener {
    fun onInstallReferrerSetupFinished(responseCode: Int)
    fun onInstallReferrerServiceDisconnected()
}
class ReferrerDetails(val installReferrer: String)
class InstallReferrerClient {
    val installReferrer: ReferrerDetails get() = ReferrerDetails(referrer())
    fun startConnection(listener: InstallReferrerStateListener) {
        connect()
        answer = { listener.onInstallReferrerSetupFinished(InstallReferrerResponse.OK) }
    }
    fun endConnection(): Unit = Unit
    class Builder { fun build(): InstallReferrerClient = InstallReferrerClient() }
    object InstallReferrerResponse { const val OK = 0 }
    companion object {
        /** What Google Play's service does. */
        var connect: () -> Unit = {}
        var referrer: () -> String = { "" }
        /** Calls the listener, as Android does after the call has returned. */
        var answer: () -> Unit = {}
        @JvmStatic fun newBuilder(context: Context): Builder = Builder()
    }
}
