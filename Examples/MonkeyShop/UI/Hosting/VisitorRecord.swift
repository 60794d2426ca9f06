import Foundation
import MonkeyShopBackend
import PurchaseModel

/// The state of a visitor that is saved in addition to the files of the store, the server and the phones, and restored when the program
/// starts again.
struct VisitorRecord: Codable, Hashable {
    /// The accounts of the phones' owners, in the order of the phones.
    var phones: [AccountID]
    /// The index of the selected phone in `phones`.
    var selected: Int
    /// The language code, such as `de`.
    var language: String

    private static let file = "visitor.json"
    /// The maximum number of phones in a valid record.
    private static let phoneLimit = 16

    init(phones: [AccountID], selected: Int, language: String) {
        (self.phones, self.selected, self.language) = (phones, selected, language)
    }

    /// Reads the record in a folder; nil if the record is missing or invalid.
    init?(in folder: String) {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(Self.file)"),
            let record = try? JSONDecoder().decode(VisitorRecord.self, from: data), (1...Self.phoneLimit).contains(record.phones.count)
        else { return nil }
        self = record
    }

    func save(in folder: String) throws {
        try SampleFiles.replace("\(folder)/\(Self.file)", with: try JSONEncoder().encode(self))
    }
}
