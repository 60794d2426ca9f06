#if os(Linux)
    public import OpenStoreKit
    public import StoreKitTest

    extension SKTestSession {
        /// The session that ``StoreKitTestTrait`` created for the current test; nil in a test without this trait.
        @TaskLocal public static var current: SKTestSession?

        /// The device of the session, on which StoreKit's methods act in the test.
        public var device: Device { environment.device }

        /// Runs a closure in which StoreKit's static members use the session's device.
        ///
        /// Tasks that the closure starts use the device as well, except detached tasks.
        public func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
            try await Device.$current.withValue(device, operation: body)
        }

        /// Waits until the device has fetched all changes from the store and has notified every observer.
        public func waitUntilIdle() async {
            await environment.waitUntilIdle()
        }
    }
#endif
