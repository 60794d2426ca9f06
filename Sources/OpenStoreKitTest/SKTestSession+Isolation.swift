#if os(Linux)
    public import OpenStoreKit
    public import StoreKitTest

    extension SKTestSession {
        /// The session of the current test, created by ``StoreKitTestTrait``.
        @TaskLocal public static var current: SKTestSession?

        /// The device of the session.
        public var device: Device { environment.device }

        /// Makes StoreKit's static members use the session's device in the body, and in tasks that the body starts.
        public func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
            try await Device.$current.withValue(device, operation: body)
        }

        /// Waits until the device has fetched all changes from the store, and every observer has been notified.
        public func waitUntilIdle() async {
            await environment.waitUntilIdle()
        }
    }
#endif
