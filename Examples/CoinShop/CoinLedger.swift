import Foundation
import StoreKit

/// The coins of each transaction, stored in a file.
struct CoinLedger {
    private let file: URL

    init(file: URL) {
        self.file = file
    }

    var balance: Int { entries.values.reduce(0, +) }

    func credit(_ transaction: SKPaymentTransaction) {
        guard let identifier = transaction.transactionIdentifier else { return }
        var entries = entries
        entries[identifier] = 5 * transaction.payment.quantity
        do {
            try JSONEncoder().encode(entries).write(to: file, options: .atomic)
        } catch {
            print("Cannot write the balance to \(file.path): \(error.localizedDescription)")
            exit(1)
        }
    }

    private var entries: [String: Int] {
        (try? JSONDecoder().decode([String: Int].self, from: Data(contentsOf: file))) ?? [:]
    }
}
