import Foundation
import OpenStoreKit
import OpenStoreKitTest
import StoreKit
import StoreKitTest
import Testing

/// What tells a process that it plays ``SharedSessionTests``.
private let sharedSessionSwitch = "TILLROLL_SHARED_SESSION"

/// Tests without a session of their own. All living sessions of a process matter to them, so theirs are played in a process where no
/// other test runs.
@Suite struct LentSessionTests {
    @Test func `a test without a session uses the only one that lives, and none of several`() async throws {
        let process = Process()
        process.executableURL = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = ["--testing-library", "swift-testing", "--filter", "SharedSessionTests"]
        process.environment = ProcessInfo.processInfo.environment.merging([sharedSessionSwitch: "1"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        // Its end is the end of what it writes.
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && text.contains("with 4 test cases passed"), "\(text)")
    }
}

/// What the process plays: tests that come one after the other, and keep their sessions.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment[sharedSessionSwitch] == "1"))
@MainActor
struct SharedSessionTests {
    enum Step: CaseIterable {
        case makesSession, makesNone, makesAnother, makesNoneOfTwo
    }

    private static var kept: [SKTestSession] = []

    @Test(arguments: Step.allCases) func `one test after the other`(_ step: Step) async throws {
        switch step {
        case .makesSession:
            Self.kept = [try SessionFile.session()]
            #expect(Device.active === Self.kept.first?.device)
        case .makesNone:
            let session = try #require(Self.kept.first)
            #expect(Device.active === session.device && SKPaymentQueue.canMakePayments())
            let product = try #require(try await Product.products(for: [SessionFile.pro]).first)
            guard case .success(.verified(let transaction)) = try await product.purchase() else {
                Issue.record("nothing was bought")
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
