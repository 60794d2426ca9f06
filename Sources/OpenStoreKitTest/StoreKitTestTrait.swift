#if os(Linux)
    import StoreKitTest
    public import Testing

    /// A trait that creates a session, `SKTestSession.current`, for each test and makes its device current in the test.
    public struct StoreKitTestTrait: TestTrait, SuiteTrait, TestScoping {
        private let name: String

        init(name: String) {
            self.name = name
        }

        /// Whether the trait applies to each test of a suite: true, so that each one gets its own session.
        public var isRecursive: Bool { true }

        /// Creates a session, and runs a test in it.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
        ) async throws {
            let session = try SKTestSession(configurationFileNamed: name)
            try await SKTestSession.$current.withValue(session) { try await session.run(function) }
        }
    }

    extension Trait where Self == StoreKitTestTrait {
        /// Creates a session with a `.storekit` file for each test.
        public static func storeKit(configurationFileNamed name: String) -> StoreKitTestTrait {
            StoreKitTestTrait(name: name)
        }
    }
#endif
