#if os(Linux)
    import StoreKitTest
    public import Testing

    /// Gives each test a session of its own, `SKTestSession.current`, whose device is the test's.
    public struct StoreKitTestTrait: TestTrait, SuiteTrait, TestScoping {
        private let name: String

        init(name: String) {
            self.name = name
        }

        /// Holds for the tests of a suite, each of which gets a session.
        public var isRecursive: Bool { true }

        /// Makes a session, and runs a test in it.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
        ) async throws {
            let session = try SKTestSession(configurationFileNamed: name)
            try await SKTestSession.$current.withValue(session) { try await session.run(function) }
        }
    }

    extension Trait where Self == StoreKitTestTrait {
        /// Gives each test a session of its own with the `.storekit` file of that name.
        public static func storeKit(configurationFileNamed name: String) -> StoreKitTestTrait {
            StoreKitTestTrait(name: name)
        }
    }
#endif
