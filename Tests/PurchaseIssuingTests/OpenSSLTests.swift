import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Testing

/// What we sign, judged by somebody else's program.
@Suite struct OpenSSLTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs openssl in the folder and returns whether it was content.
    private func openssl(_ arguments: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    private func accepts(_ receipt: [UInt8], under roots: String) throws -> Bool {
        try Data(receipt).write(to: folder.file("receipt"))
        try Data(roots.utf8).write(to: folder.file("root.pem"))
        let seconds = Timestamp.testStart.milliseconds / 1000
        return try openssl(
            "cms", "-verify", "-binary", "-inform", "DER", "-in", "receipt", "-CAfile", "root.pem", "-attime", "\(seconds)", "-out",
            "payload"
        )
    }

    @Test func `openssl accepts our receipts under our root`() throws {
        let receipt = try TestAuthority.shared.receipts.issue(.sample())
        #expect(try accepts(receipt, under: TestAuthority.shared.authority.rootsPEM))
        let payload = [UInt8](try Data(contentsOf: folder.file("payload")))
        #expect(payload.first == 0x31)
        #expect(receipt.indices.contains { receipt[$0...].starts(with: payload) })
    }

    @Test func `openssl refuses them under another root, and when they are changed`() throws {
        var receipt = try TestAuthority.shared.receipts.issue(.sample())
        #expect(try !accepts(receipt, under: TestAuthority.other.authority.rootsPEM))
        receipt[receipt.count - 1] ^= 1
        #expect(try !accepts(receipt, under: TestAuthority.shared.authority.rootsPEM))
    }
}
