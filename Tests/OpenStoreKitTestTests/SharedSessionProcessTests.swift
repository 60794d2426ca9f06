import Foundation
import OpenStoreKit
import OpenStoreKitTest
import StoreKit
import StoreKitTest
import Testing

/// The environment variable that enables ``SharedSessionTests``.
private let sharedSessionSwitch = "TILLROLL_SHARED_SESSION"

/// Runs ``SharedSessionTests`` in a separate process.
///
/// A test without a session depends on all sessions of its process, so no other test may run there. A filter also matches file names, so
/// the suite is disabled in the separate process: otherwise each process could start the next one.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[sharedSessionSwitch] == nil))
struct SharedSessionProcessTests {
    @Test func `a test without a session uses the process's only session, and no session if there are several`() async throws {
        let process = Process()
        process.executableURL = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = ["--testing-library", "swift-testing", "--filter", "OpenStoreKitTestTests.SharedSessionTests"]
        process.environment = ProcessInfo.processInfo.environment.merging([sharedSessionSwitch: "1"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        // Reading ends when the process closes its output.
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && text.contains("with 4 test cases passed"), "\(text)")
    }
}

/// Tests that run one after the other in the separate process and keep their sessions.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment[sharedSessionSwitch] == "1"))
@MainActor
struct SharedSessionTests {
    enum Step: CaseIterable {
        case makesSession, makesNone, makesAnother, makesNoneOfTwo
    }

    private static var kept: [SKTestSession] = []

    @Test(arguments: Step.allCases) func `the only session is shared, and two sessions are not`(_ step: Step) async throws {
        switch step {
        case .makesSession:
            Self.kept = [try SessionFile.session()]
            #expect(Device.active === Self.kept.first?.device)
        case .makesNone:
            let session = try #require(Self.kept.first)
            #expect(Device.active === session.device && SKPaymentQueue.canMakePayments())
            let product = try #require(try await Product.products(for: [SessionFile.pro]).first)
            guard case .success(.verified(let transaction)) = try await product.purchase() else {
                Issue.record("The purchase did not succeed.")
                return
            }
            #expect(session.allTransactions().map(\.identifier) == [UInt(transaction.id)])
            #expect(await Transaction.currentEntitlement(for: SessionFile.pro) != nil)
        case .makesAnother:
            let session = try SessionFile.session()
            Self.kept.append(session)
            #expect(Device.active === session.device)
            await #expect(Transaction.currentEntitlement(for: SessionFile.pro) == nil)
        case .makesNoneOfTwo:
            #expect(Device.active == nil)
            await #expect(throws: StoreKitError.self) { try await Product.products(for: [SessionFile.pro]) }
        }
    }
}
