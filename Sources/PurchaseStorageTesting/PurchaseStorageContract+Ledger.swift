import PurchaseModel
import PurchaseStorage

extension PurchaseStorageContract {
    private static let customer: CustomerID = "customer"

    private static func posting(
        _ kind: LedgerPosting.Kind, _ key: String, _ entries: [LedgerEntry], balance: Int64, currency: CurrencyID = .credits,
        number: Int64 = 1
    ) -> LedgerPosting {
        LedgerPosting(
            customer: customer, currency: currency, key: key, kind: kind, entries: entries, balance: balance, date: ContractEvents.start,
            number: number)
    }

    static let ledgerChecks: [Check] = [
        Check(description: "postings change the balance, and are listed newest first") { storage, _ in
            let first = posting(.purchase, "a", [LedgerEntry(.balance, 10), LedgerEntry(.purchases, -10)], balance: 10)
            let second = posting(.debit, "a", [LedgerEntry(.balance, -3), LedgerEntry(.debits, 3)], balance: 7, number: 2)
            let numbers = try await storage.write(app) { records in
                [
                    try records.post(first, balance: CreditBalance(amount: 10)),
                    try records.post(second, balance: CreditBalance(amount: 7, isFrozen: true)),
                ]
            }
            try expect(numbers, equals: [1, 2], "the numbers of the postings")
            let (balance, found, unknown, all, one) = try await storage.read(app) { records in
                (
                    try records.balance(of: customer, in: .credits), try records.posting(.debit, key: "a", of: customer, in: .credits),
                    try records.posting(.grant, key: "a", of: customer, in: .credits),
                    try records.postings(of: customer, in: .credits, before: nil, limit: 9),
                    try records.postings(of: customer, in: .credits, before: nil, limit: 1)
                        + records.postings(of: customer, in: .credits, before: 2, limit: 1)
                )
            }
            try expect(balance, equals: CreditBalance(amount: 7, isFrozen: true), "the balance")
            try expect(found, equals: second, "the posting of a key")
            try expect(unknown, equals: nil, "the posting of an unknown key")
            try expect(all, equals: [second, first], "the statement")
            try expect(one, equals: [second, first], "a statement in pages of one posting")
        },
        Check(description: "two postings of one kind and key are an error, and the first one stays") { storage, _ in
            let first = posting(.debit, "a", [LedgerEntry(.balance, -3), LedgerEntry(.debits, 3)], balance: -3)
            _ = try await storage.write(app) { try $0.post(first, balance: CreditBalance(amount: -3)) }
            do {
                _ = try await storage.write(app) { try $0.post(first, balance: CreditBalance(amount: -6)) }
                throw ContractViolation(description: "a second posting with the same key was stored")
            } catch is StorageError {}
            let balance = try await storage.read(app) { try $0.balance(of: customer, in: .credits) }
            try expect(balance, equals: CreditBalance(amount: -3), "the balance")
        },
        Check(description: "customers and currencies have separate balances, and the totals add up the entries") { storage, _ in
            let entries = [LedgerEntry(.balance, 5), LedgerEntry(.purchases, -5)]
            try await storage.write(app) { records in
                try records.post(posting(.purchase, "a", entries, balance: 5), balance: CreditBalance(amount: 5))
                try records.post(posting(.purchase, "b", entries, balance: 10), balance: CreditBalance(amount: 10))
                try records.post(posting(.purchase, "a", entries, balance: 5, currency: "gems"), balance: CreditBalance(amount: 5))
            }
            let (amounts, all, totals) = try await storage.read(app) { records in
                (
                    [
                        try records.balance(of: customer, in: .credits).amount, try records.balance(of: customer, in: "gems").amount,
                        try records.balance(of: "other", in: .credits).amount,
                    ], try records.balances(of: customer), try records.accountTotals()
                )
            }
            try expect(amounts, equals: [10, 5, 0], "the balances")
            try expect(all.map(\.currency), equals: [.credits, "gems"], "the sorted currencies")
            try expect(all.map(\.balance.amount), equals: [10, 5], "the balances in all currencies")
            try expect(
                totals, equals: [.credits: [.balance: 10, .purchases: -10], "gems": [.balance: 5, .purchases: -5]], "the totals")
        },
        Check(description: "the credits of a charge are stored and replaced") { storage, _ in
            var credit = PurchaseCredit(
                purchase: "1", charge: "transaction:1", transactionID: "1", customer: customer, currency: .credits, credits: 10)
            try await storage.write(app) { [credit] in try $0.put(credit) }
            (credit.revoked, credit.writtenOff, credit.changes) = (10, 4, 1)
            try await storage.write(app) { [credit] in try $0.put(credit) }
            let (stored, other) = try await storage.read(app) { records in
                (try records.credit(ofCharge: "transaction:1", of: "1"), try records.credit(ofCharge: "transaction:2", of: "1"))
            }
            try expect(stored, equals: credit, "the credits of the charge")
            try expect(other, equals: nil, "the credits of another charge")
        },
        Check(description: "the decisions about credits are stored, replaced and listed by purchase") { storage, _ in
            func decision(_ kind: LedgerPosting.Kind, _ key: String, number: Int64, date: Int64 = 0) -> CreditDecision {
                CreditDecision(
                    purchase: "1", kind: kind, key: key, charge: "transaction:1", transactionID: "1", customer: customer,
                    currency: .credits, credits: 10, creditsPerUnit: kind == .purchase ? 5 : nil, writtenOff: kind == .purchase ? 0 : 4,
                    refundPolicy: kind == .refund ? .floor : nil, number: number, date: ContractEvents.start.adding(seconds: date))
            }
            let refund = decision(.refund, "a", number: 2, date: 2)
            let (first, replaced) = (decision(.purchase, "a", number: 1), decision(.purchase, "a", number: 7))
            try await storage.write(app) { records in for decision in [refund, first, replaced] { try records.insert(decision) } }
            let (stored, other) = try await storage.read(app) { records in
                (try records.creditDecisions(of: "1"), try records.creditDecisions(of: "2"))
            }
            try expect(stored, equals: [replaced, refund], "the decisions")
            try expect(other, equals: [], "the decisions about another purchase")
        },
    ]
}
