import Foundation
import FoundationExtras
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import tillroll

/// Tests that the form of signed input is detected.
@Suite struct InputFormTests {
    /// A text or binary form of bytes.
    enum Form: String, CaseIterable {
        case bytes, base64, base64Lines, base64URL, quoted, hex, hexSpaced, hexColons, hexPrefixed, pem, pemWithText, receiptData
        case byteOrderMark, hexOfBase64

        func write(_ bytes: [UInt8]) -> [UInt8] {
            let base64 = Data(bytes).base64EncodedString()
            let hex = Hexadecimal.encode(bytes)
            let pairs = stride(from: 0, to: hex.count, by: 2).map { String(Array(hex)[$0..<$0 + 2]) }
            return switch self {
            case .bytes: bytes
            case .base64: Array("  \(base64)\n\n".utf8)
            case .base64Lines: Array(Data(bytes).base64EncodedString(options: [.lineLength76Characters]).utf8)
            case .base64URL: Array(Base64URL.encode(bytes).utf8)
            case .quoted: Array("\"\(base64)\"".utf8)
            case .hex: Array(hex.uppercased().utf8)
            case .hexSpaced: Array(pairs.joined(separator: " ").utf8)
            case .hexColons: Array(pairs.joined(separator: ":").utf8)
            case .hexPrefixed: Array("0x\(hex)\n".utf8)
            case .pem: Array(PEMText.encode(bytes, label: "PKCS7").utf8)
            case .pemWithText: Array("-----BEGIN CMS-----\r\n\(base64)\r\n-----END CMS-----\r\nand more".utf8)
            case .receiptData: Array("{\"password\": \"x\", \"receipt-data\": \"\(base64.replacing("/", with: "\\/"))\"}".utf8)
            case .byteOrderMark: [0xEF, 0xBB, 0xBF] + Array(base64.utf8)
            case .hexOfBase64: Array(Hexadecimal.encode(base64.utf8).utf8)
            }
        }
    }

    private static let receipt: Result<[UInt8], any Error> = Result { try TestAuthority.shared.receipts.issue(.sample()) }

    @Test(arguments: Form.allCases)
    func `a receipt is detected in each form`(_ form: Form) throws {
        let receipt = try Self.receipt.get()
        #expect(try SignedInput(form.write(receipt)).content == .receipt(receipt))
    }

    @Test(arguments: [Form.bytes, .base64, .base64Lines, .hex, .receiptData, .pem])
    func `a transaction receipt is detected in each form`(_ form: Form) throws {
        let list = Array("{\n\t\"signature\" = \"AA==\";\n}".utf8)
        #expect(try SignedInput(form.write(list)).content == .transactionReceipt(list))
    }

    @Test(arguments: ["signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo"])
    func `a JWS is detected alone and as a member of JSON`(_ member: String) throws {
        let jws = try TestAuthority.shared.signedData.sign(TransactionPayload.sample()).compact
        #expect(try SignedInput(Array(jws.utf8)).content == .compact(jws))
        #expect(try SignedInput(Array(" '\(jws)'\r\n".utf8)).content == .compact(jws))
        #expect(try SignedInput(Array("{\"\(member)\":\"\(jws)\"}".utf8)).content == .compact(jws))
        #expect(try SignedInput(Array(Data(jws.utf8).base64EncodedString().utf8)).content == .compact(jws))
    }

    @Test(arguments: [Form.bytes, .base64Lines, .base64URL, .hexColons, .pem, .receiptData])
    func `the command accepts a receipt in each form, from a file and from a pipe`(_ form: Form) async throws {
        try await CommandFolder.with { command in
            let written = Data(form.write(try Self.receipt.get()))
            try command.write(written, to: "receipt")
            #expect(try await command.run("receipt", "verify", "receipt", "--root", "mine/roots.pem").code == 0)
            #expect(try await command.run("receipt", "verify", "-", "--root", "mine/roots.pem", input: written).code == 0)
            #expect(try await command.run("receipt", "verify", "--root", "mine/roots.pem", input: written).code == 0)
        }
    }

    @Test(arguments: ["", "   \n", "{}", "{", "hello, world", "....", "0x", "-----BEGIN CMS-----", "\u{0}\u{0}", "caf\u{E9}"])
    func `input without signed data is refused as malformed, not as wrong usage`(_ text: String) async throws {
        try await CommandFolder.with { command in
            for kind in ["receipt", "jws"] {
                let outcome = try await command.run(kind, "verify", "--json", input: Data(text.utf8))
                #expect(outcome.code == 1 && outcome.reason == "malformed", "\(kind): \(outcome.text)")
            }
        }
    }

    @Test func `each command names the other command for input of the other kind`() async throws {
        try await CommandFolder.with { command in
            let jws = Data(try TestAuthority.shared.signedData.sign(TransactionPayload.sample()).compact.utf8)
            let receipt = try await command.run("receipt", "verify", "--json", input: jws)
            #expect(receipt.code == 1 && (receipt.json["message"] as? String)?.contains("`tillroll jws`") == true)
            let other = try await command.run("jws", "verify", "--json", input: Data(try Self.receipt.get()))
            #expect(other.code == 1 && (other.json["message"] as? String)?.contains("`tillroll receipt`") == true)
        }
    }

    @Test func `input of more than 24 MiB is refused`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.shell("head -c 30000000 /dev/zero | \"$tillroll\" receipt verify --json")
            #expect(outcome.code == 1 && outcome.reason == "too_large" && outcome.place == "input")
        }
    }

    @Test func `no input causes a trap`() throws {
        var random = SeededRandom(seed: 3)
        let receipt = try Self.receipt.get()
        let starts: [[UInt8]] = [
            receipt, Array("{\"receipt-data\":\"".utf8), Array("-----BEGIN X-----\n".utf8), Array("\"0x30".utf8), Array("eyJ.eyJ.".utf8),
            [],
        ]
        for start in starts {
            for length in [0, 1, 2, 7, 64, 300] {
                for _ in 0..<40 {
                    let kept = start.prefix(Int.random(in: 0...start.count, using: &random))
                    let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                    let text = (0..<length).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
                    _ = try? SignedInput(kept + noise)
                    _ = try? SignedInput(kept + text)
                }
            }
        }
    }
}
