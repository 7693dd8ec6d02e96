package com.android.installreferrer.api
import android.content.Context
interface InstallReferrerStateListener {
    fun onInstallReferrerSetupFinished(responseCode: Int)
    fun onInstallReferrerServiceDisconnected()
}
class ReferrerDetails { val installReferrer: String = "" }
class InstallReferrerClient {
    val installReferrer: ReferrerDetails get() = throw android.os.RemoteException()
    fun startConnection(listener: InstallReferrerStateListener): Unit = Unit
    fun endConnection(): Unit = Unit
    class Builder { fun build(): InstallReferrerClient = InstallReferrerClient() }
    object InstallReferrerResponse { const val OK = 0 }
    companion object { @JvmStatic fun newBuilder(context: Context): Builder = Builder() }
}
