import Foundation
import Testing

/// An identifier of a test of Swift Testing, and of the test case if the test is parameterized.
struct TestKey: Hashable, Sendable {
    private let test: Test.ID
    private let arguments: String?

    /// Whether all tests share one device, as the environment variable `OPENSTOREKIT_ONE_TEST_DEVICE` requests.
    private static let isIgnored = usesOneDevice(ProcessInfo.processInfo.environment)

    /// Returns whether the environment variables of a process request one device for all tests.
    static func usesOneDevice(_ environment: [String: String]) -> Bool {
        environment["OPENSTOREKIT_ONE_TEST_DEVICE"] == "1"
    }

    /// The identifier of the current test; nil in XCTest, in programs, in detached tasks, and while all tests share one device.
    static var current: TestKey? {
        guard !isIgnored, let test = Test.current else { return nil }
        // A test case has no public identifier. Its description contains the arguments, which distinguish it from other cases.
        let arguments = test.isParameterized ? Test.Case.current.map { String(describing: $0) } : nil
        return TestKey(test: test.id, arguments: arguments)
    }
}
