#if os(Linux)
    public import OpenStoreKit
    public import StoreKitTest

    extension SKTestSession {
        /// The session of the test that runs here, where ``StoreKitTestTrait`` made it.
        @TaskLocal public static var current: SKTestSession?

        /// The device that the session's store sells to.
        public var device: Device { environment.device }

        /// Has StoreKit's static members use the session's device in the body, and in tasks that are begun there.
        public func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
            try await Device.$current.withValue(device, operation: body)
        }

        /// Returns when the device has taken over what happened in the store, and every observer has been told.
        public func settle() async {
            await environment.settle()
        }
    }
#endif
