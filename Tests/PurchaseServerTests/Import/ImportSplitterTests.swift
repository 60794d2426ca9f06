import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the records of import files, and of their hostile forms.
@Suite struct ImportSplitterTests {
    private typealias Record = (line: Int64, fields: Result<[String], ImportDefect>)

    private static func split(_ bytes: [UInt8], _ format: ImportFormat, by size: Int) -> [Record] {
        var splitter = ImportSplitter(format, at: ImportPosition())
        var records: [ImportRecord] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            records += splitter.split(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        records += [splitter.finish()].compactMap { $0 }
        if let last = records.last { #expect(last.end.offset <= Int64(bytes.count)) }
        return records.map { record in (record.line, record.fields.map { $0.map { String(decoding: $0, as: UTF8.self) } }) }
    }

    private static let csv: [(String, [Record])] = [
        ("a,b\nc\n", [(1, .success(["a", "b"])), (2, .success(["c"]))]),
        ("a,b\r\nc,\r\n", [(1, .success(["a", "b"])), (2, .success(["c", ""]))]),
        ("a", [(1, .success(["a"]))]), ("", []), ("\n\r\n , \n", []),
        (#""a,""b""","c""# + "\n", [(1, .success([#"a,"b""#, "c"]))]),
        ("\"a\nb\r\nc\",d\r\ne\n", [(1, .success(["a\nb\r\nc", "d"])), (4, .success(["e"]))]),
        (#""","# + "\nx", [(2, .success(["x"]))]),
        ("a\"b,c\nd\n", [(1, .failure(.quote)), (2, .success(["d"]))]),
        ("\"a\"b\nd\n", [(1, .failure(.quote)), (2, .success(["d"]))]),
        ("\"a\"\rb\nd\n", [(1, .failure(.quote)), (2, .success(["d"]))]),
        ("a\n\"b\nc\n", [(1, .success(["a"])), (2, .failure(.unterminatedQuote))]),
        ("a\n\nb\n", [(1, .success(["a"])), (3, .success(["b"]))]),
        ("a\0b,\"\nc\n", [(1, .failure(.nul)), (2, .success(["c"]))]),
        (String(repeating: ",", count: 1_001) + "\nc\n", [(1, .failure(.fieldCount)), (2, .success(["c"]))]),
    ]

    @Test(arguments: csv.indices, [1, 2, 3, 1_000_000])
    func `CSV is split into records with the numbers of their lines, however it arrives`(_ row: Int, _ size: Int) {
        let (text, expected) = Self.csv[row]
        let found = Self.split(Array(text.utf8), .csv, by: size)
        #expect(found.map(\.line) == expected.map(\.line) && found.map(\.fields) == expected.map(\.fields), "\(text)")
    }

    private static let lines: [(String, [Record])] = [
        ("{}\n{\"a\":1}\r\n", [(1, .success(["{}"])), (2, .success([#"{"a":1}"#]))]), ("x", [(1, .success(["x"]))]),
        ("\n \n\t\r\nx\n", [(4, .success(["x"]))]), ("a\0b\nc", [(1, .failure(.nul)), (2, .success(["c"]))]),
        ("\"a,\nb\"\n", [(1, .success(["\"a,"])), (2, .success(["b\""]))]),
    ]

    @Test(arguments: lines.indices, [1, 2, 1_000_000])
    func `JSON Lines are split at line breaks only, however they arrive`(_ row: Int, _ size: Int) {
        let (text, expected) = Self.lines[row]
        let found = Self.split(Array(text.utf8), .jsonl, by: size)
        #expect(found.map(\.line) == expected.map(\.line) && found.map(\.fields) == expected.map(\.fields), "\(text)")
    }

    @Test(arguments: ImportFormat.allCases)
    func `a record over the limit is discarded while it is read, and the next one is read`(_ format: ImportFormat) {
        var splitter = ImportSplitter(format, at: ImportPosition())
        let chunk = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        for _ in 0..<100 { #expect(splitter.split(chunk).isEmpty) }
        let records = splitter.split(Array("\nnext\n".utf8))
        #expect(records.map(\.line) == [1, 2] && records[0].size <= ImportSplitter.recordLimit + 2 && records[0].head.count == 1_024)
        #expect(records[1].end == ImportPosition(offset: Int64(100 << 20) + 6, line: 3))
        guard case .failure(.tooLong) = records[0].fields else {
            Issue.record("\(records[0].fields)")
            return
        }
    }

    @Test func `a record of the largest size is read`() {
        var splitter = ImportSplitter(.jsonl, at: ImportPosition())
        let records = splitter.split([UInt8](repeating: UInt8(ascii: "a"), count: ImportSplitter.recordLimit - 1) + [UInt8(ascii: "\n")])
        #expect(records.count == 1 && (try? records[0].fields.get()[0].count) == ImportSplitter.recordLimit - 1)
    }

    private static let rows: [(String, ImportDefect?)] = [
        (#"{"original_transaction_id":"1"}"#, nil), (#"{"originalTransactionId":2000000000000001}"#, nil),
        (#"{"Transaction-ID":"1","customer":"jane@example.com","x":[{}]}"#, nil), (#"{"receipt":"TU\nlJ","customer":null}"#, nil),
        (#"{"original_transaction_id":"","receipt":"TUlJ"}"#, nil), (#"{"customer":"jane"}"#, .noProof), ("{}", .noProof),
        ("[]", .notJSON), ("{", .notJSON), ("{} {}", .notJSON), (#"{"original_transaction_id":"1e15"}"#, .identifier),
        (#"{"original_transaction_id":1.5e3}"#, .identifier), (#"{"original_transaction_id":-1}"#, .identifier),
        (#"{"original_transaction_id":true}"#, .identifier),
        (#"{"original_transaction_id":"\#(String(repeating: "1", count: 33))"}"#, .identifier), (#"{"receipt":"%%"}"#, .receipt),
        (#"{"receipt":[]}"#, .receipt), (#"{"transaction_id":"1","customer":"a\u0007b"}"#, .customer),
        (#"{"transaction_id":"1","customer":{}}"#, .customer),
        (#"{"transaction_id":"1","customer":"\#(String(repeating: "a", count: 201))"}"#, .customer),
        (String(repeating: "[", count: 100_000), .notJSON),
    ]

    @Test(arguments: rows.indices) func `a record names a purchase, or has a defect`(_ row: Int) {
        let (text, expected) = Self.rows[row]
        var defect: ImportDefect?
        do throws(ImportDefect) { _ = try ImportRow(ImportTexts(json: Array(text.utf8))) } catch { defect = error }
        #expect(defect == expected, "\(text.prefix(60))")
    }

    @Test func `invalid UTF-8 and too many fields are defects`() {
        let bytes: [UInt8] = [0x22, 0xFF, 0x22]
        #expect(throws: ImportDefect.notUTF8) { try ImportTexts(json: bytes) }
        #expect(throws: ImportDefect.notUTF8) { try ImportTexts([bytes], columns: [.transaction]) }
        #expect(throws: ImportDefect.fieldCount) { try ImportTexts([[], []], columns: [.transaction]) }
    }
}
