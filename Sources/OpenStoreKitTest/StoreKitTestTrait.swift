#if os(Linux)
    import StoreKitTest
    public import Testing

    /// A trait that creates a test session (`SKTestSession.current`) for each test, and makes the session's device current in the test.
    public struct StoreKitTestTrait: TestTrait, SuiteTrait, TestScoping {
        private let name: String

        init(name: String) {
            self.name = name
        }

        /// Whether the trait applies to each test of a suite; always true, so that each test gets a separate session.
        public var isRecursive: Bool { true }

        /// Creates a session, and runs a test in which this session is current.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
        ) async throws {
            let session = try SKTestSession(configurationFileNamed: name)
            try await SKTestSession.$current.withValue(session) { try await session.run(function) }
        }
    }

    extension Trait where Self == StoreKitTestTrait {
        /// Creates a trait that provides each test with a session for a `.storekit` file.
        ///
        /// - Parameter name: The name of the file, with or without the extension.
        public static func storeKit(configurationFileNamed name: String) -> StoreKitTestTrait {
            StoreKitTestTrait(name: name)
        }
    }
#endif
