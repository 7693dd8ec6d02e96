package com.android.billingclient.api
class Purchase(val purchaseToken: String, val purchaseState: Int, val isAcknowledged: Boolean) {
    object PurchaseState {
        const val PURCHASED = 1
        const val PENDING = 2
    }
}
class QueryPurchasesParams private constructor(val type: String) {
    class Builder {
        private var type = ""
        fun setProductType(type: String): Builder = also { this.type = type }
        fun build(): QueryPurchasesParams = QueryPurchasesParams(type)
    }
    companion object { @JvmStatic fun newBuilder(): Builder = Builder() }
}
class AcknowledgePurchaseParams private constructor(val purchaseToken: String) {
    class Builder {
        private var token = ""
        fun setPurchaseToken(token: String): Builder = also { this.token = token }
        fun build(): AcknowledgePurchaseParams = AcknowledgePurchaseParams(token)
    }
    companion object { @JvmStatic fun newBuilder(): Builder = Builder() }
}
class BillingResult(val responseCode: Int)
class PurchasesResult(val billingResult: BillingResult, val purchasesList: List<Purchase>)
class BillingClient(val subscriptions: List<Purchase>) {
    val acknowledged = mutableListOf<String>()
    object ProductType {
        const val SUBS = "subs"
        const val INAPP = "inapp"
    }
}
suspend fun BillingClient.queryPurchasesAsync(params: QueryPurchasesParams): PurchasesResult =
    PurchasesResult(BillingResult(0), if (params.type == BillingClient.ProductType.SUBS) subscriptions else emptyList())
suspend fun BillingClient.acknowledgePurchase(params: AcknowledgePurchaseParams): BillingResult {
    acknowledged += params.purchaseToken
    return BillingResult(0)
}
