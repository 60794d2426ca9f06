import Foundation
import PurchaseModel
import Testing

/// Tests of the numbers of the App Store Server API's errors, which clients compare.
@Suite struct ServerAPICodeTests {
    private static let published: [(code: Int64, error: ServerAPIError)] = [
        (4_000_004, .invalidLimit), (4_000_225, .invalidGroupId), (4_040_022, .groupNotFound), (4_000_048, .appTransactionIdNotSupported),
    ]

    @Test(arguments: published) func `an error has the number that Apple publishes`(_ code: Int64, _ error: ServerAPIError) {
        #expect(error.code == code && ServerAPIError(rawValue: code) == error)
    }

    @Test func `the page lists the errors whose numbers are the store's own`() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/subscriptions.md").standardizedFileURL
        let page = try String(contentsOf: file, encoding: .utf8)
        for error in ServerAPIError.guessedCodes where error.name.contains("Seat") || error.name.contains("Group") {
            #expect(page.contains("`\(error.name)` \(error.code)"), "\(error.name) \(error.code)")
        }
    }
}
