package androidx.lifecycle
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.GlobalScope
open class ViewModel
val ViewModel.viewModelScope: CoroutineScope get() = GlobalScope
