import Foundation
import OpenStoreKit
import OpenStoreKitTest
import StoreKit
import StoreKitTest
import Testing

/// The environment variable that enables ``SharedSessionTests``.
private let sharedSessionSwitch = "TILLROLL_SHARED_SESSION"

/// Runs ``SharedSessionTests`` and ``LaterVersionTests`` in separate processes.
///
/// A test without a session depends on all sessions of its process, so no other test may run there. A filter also matches file names, so
/// the suite is disabled in the separate process: otherwise each process could start the next one.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[sharedSessionSwitch] == nil))
struct SharedSessionProcessTests {
    @Test func `a test without a session uses the process's only session, and no session if there are several`() async throws {
        let (status, text) = try Self.run("SharedSessionTests")
        #expect(status == 0 && text.contains("with 4 test cases passed"), "\(text)")
    }

    @Test func `a session with a file of a later version sells its known products, and one warning names what is ignored`() async throws {
        let (status, text) = try Self.run("LaterVersionTests")
        #expect(status == 0, "\(text)")
        let warnings = text.split(separator: "\n").filter { $0.contains("Warning: ") }
        #expect(warnings.count == 1 && warnings[0].contains("Version 6.3 ") && warnings[0].contains("Ignored: subscriptionBundleGroups."))
    }

    /// Runs a suite in a separate process, and returns the exit status and the output.
    private static func run(_ suite: String) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = ["--testing-library", "swift-testing", "--filter", "OpenStoreKitTestTests.\(suite)"]
        process.environment = ProcessInfo.processInfo.environment.merging([sharedSessionSwitch: "1"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        // Reading ends when the process closes its output.
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}

/// A session with a `.storekit` file of a later version, in the separate process, whose standard error is read.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[sharedSessionSwitch] == "1"))
struct LaterVersionTests {
    @Test func `the known products are sold`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Later.storekit")
        let later = SessionFile.storekit.replacing(#""settings" : {}"#, with: #""settings" : {}, "subscriptionBundleGroups" : [ {} ]"#)
            .replacing(#""major" : 4, "minor" : 0"#, with: #""major" : 6, "minor" : 3"#)
        try Data(later.utf8).write(to: file)
        for _ in 0..<2 {
            let session = try SKTestSession(contentsOf: file)
            #expect(try await Product.products(for: [SessionFile.pro]).map(\.id) == [SessionFile.pro])
            withExtendedLifetime(session) {}
        }
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
