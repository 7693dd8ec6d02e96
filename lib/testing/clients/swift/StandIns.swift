// What Combine declares on Apple's platforms, as far as the guide uses it.
protocol ObservableObject: AnyObject {}

@propertyWrapper struct Published<Value> {
    var wrappedValue: Value
}
