import Foundation
import MonkeyShopBackend
import PurchaseModel

/// What a visitor's next run continues with, beside the files of the store, the server and the phones.
struct VisitorRecord: Codable, Hashable {
    /// The accounts of the phones' owners, in the order of the phones.
    var phones: [AccountID]
    /// The number of the selected phone.
    var selected: Int
    /// The language as in HTML.
    var language: String

    private static let file = "visitor.json"
    /// The maximum number of phones that a record is believed to have.
    private static let phoneLimit = 16

    init(phones: [AccountID], selected: Int, language: String) {
        (self.phones, self.selected, self.language) = (phones, selected, language)
    }

    /// Reads the record in a folder; nil without one, and for one that can't be read.
    init?(in folder: String) {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(Self.file)"),
            let record = try? JSONDecoder().decode(VisitorRecord.self, from: data), (1...Self.phoneLimit).contains(record.phones.count)
        else { return nil }
        self = record
    }

    /// Replaces the record in a folder.
    func save(in folder: String) throws {
        try SampleFiles.replace("\(folder)/\(Self.file)", with: try JSONEncoder().encode(self))
    }
}
