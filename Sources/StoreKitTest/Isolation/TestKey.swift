import Foundation
import Testing

/// The current test of Swift Testing, and its test case when the test is parameterized.
struct TestKey: Hashable, Sendable {
    private let test: Test.ID
    private let arguments: String?

    /// Whether all tests share one device, as `OPENSTOREKIT_ONE_TEST_DEVICE` requests.
    private static let isIgnored = usesOneDevice(ProcessInfo.processInfo.environment)

    /// Whether an environment enables the shared device.
    static func usesOneDevice(_ environment: [String: String]) -> Bool {
        environment["OPENSTOREKIT_ONE_TEST_DEVICE"] == "1"
    }

    /// The current test; nil in XCTest, in programs, and in detached tasks.
    static var current: TestKey? {
        guard !isIgnored, let test = Test.current else { return nil }
        // A test case has no identifier; its description, which contains the arguments, distinguishes it from the other cases.
        let arguments = test.isParameterized ? Test.Case.current.map { String(describing: $0) } : nil
        return TestKey(test: test.id, arguments: arguments)
    }
}
