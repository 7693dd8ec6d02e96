package android.os
open class RemoteException : Exception()
