import Foundation
import MessageSignatures
import PurchaseModel

/// Encodes and decodes the entries of the vault's log.
///
/// A frame of the log contains entries, each with a kind byte and a length. The header of a JWS, which contains the certificate chain and
/// is the largest part, is a separate entry before the first proof with this header. Proofs refer to a header by its number since the last
/// compaction. Frequent entries are binary, and others are JSON.
struct VaultCodec: Sendable {
    /// The kinds of entries; a number is never used for another kind.
    private enum Kind: UInt8 {
        case began = 0
        case header = 1
        case proof = 2
        case delivered = 3
        case attributed = 4
        case customer = 5
        case listed = 6
        case refundSubmitted = 7
        case debited = 8
        case debitEnded = 9
        case statement = 10
        case pending = 11
        case pendingEnded = 12
        case content = 13
        case value = 14
        case lease = 15
        case checked = 16
        case time = 17
        case restored = 18
        case reconciled = 19
        case unconfirmed = 20
        case foreign = 21
        case balancesImported = 22
        case download = 23
        case moved = 24
        case verified = 25
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let isConsumable = Flags(rawValue: 1 << 0)
        static let isRevoked = Flags(rawValue: 1 << 1)
        static let isOriginal = Flags(rawValue: 1 << 2)
        static let hasToken = Flags(rawValue: 1 << 3)
        static let hasCharge = Flags(rawValue: 1 << 4)
        static let addsCredits = Flags(rawValue: 1 << 5)
        static let hasRenewal = Flags(rawValue: 1 << 6)
        static let known = Flags(rawValue: (1 << 7) - 1)
    }

    private var headers: [String] = []
    // reason: String keys are safe here, because the headers of verified JWS are base64url text, which is ASCII.
    private var numbers: [String: Int] = [:]

    // MARK: - Encoding

    /// Returns a frame with entries, and with the headers of their proofs that no earlier frame contains.
    mutating func frame(_ entries: [VaultEntry]) throws(VaultError) -> Data {
        var frame = ByteWriter()
        for entry in entries {
            var body = ByteWriter()
            let kind = try encode(entry, &body, &frame)
            frame.write(byte: kind.rawValue)
            frame.write(body.bytes)
        }
        return Data(frame.bytes)
    }

    /// The number of bytes of entries after which another frame begins.
    private static let frameLength = 1 << 20

    /// Returns frames of about a megabyte with entries.
    mutating func frames(_ entries: [VaultEntry]) throws(VaultError) -> [Data] {
        var frames: [Data] = []
        for entry in entries {
            let bytes = try frame([entry])
            if let length = frames.last?.count, length + bytes.count <= Self.frameLength {
                frames[frames.count - 1] += bytes
            } else {
                frames.append(bytes)
            }
        }
        return frames
    }

    private mutating func encode(_ entry: VaultEntry, _ body: inout ByteWriter, _ frame: inout ByteWriter) throws(VaultError) -> Kind {
        switch entry {
        case .began: return .began
        case .restored: return .restored
        case .reconciled: return .reconciled
        case .balancesImported: return .balancesImported
        case .moved: return .moved
        case .verified(let refused):
            body.write(refused)
            return .verified
        case .proof(let proof):
            encode(proof, &body, &frame)
            return .proof
        case .customer(let customer):
            if let customer { body.write(customer.rawValue) }
            return .customer
        case .delivered(let id, let credits):
            body.write(id.rawValue)
            for credits in credits {
                body.write(credits.currency.rawValue)
                body.write(credits.amount)
            }
            return .delivered
        case .attributed(let original, let isOwn):
            body.write(original.rawValue)
            body.write(isOwn)
            return .attributed
        case .listed(let originals):
            body.write(originals)
            return .listed
        case .unconfirmed(let originals):
            body.write(originals)
            return .unconfirmed
        case .foreign(let originals):
            body.write(originals)
            return .foreign
        case .refundSubmitted(let id):
            body.write(id.rawValue)
            return .refundSubmitted
        case .debited(let debit):
            body.write(try Self.json(debit))
            return .debited
        case .debitEnded(let key, let isAccepted):
            body.write(key)
            body.write(isAccepted)
            return .debitEnded
        case .statement(let statement):
            body.write(try Self.json(statement))
            return .statement
        case .pending(let purchase):
            body.write(try Self.json(purchase))
            return .pending
        case .pendingEnded(let id):
            body.write(id.uuidString)
            return .pendingEnded
        case .content(let product, let content):
            body.write(product.rawValue)
            body.write(try Self.json(content))
            return .content
        case .download(let product, let request):
            body.write(product.rawValue)
            if let request { body.write(byte: request.rawValue) }
            return .download
        case .value(let name, let data):
            body.write(name)
            body.write(data)
            return .value
        case .lease(let lease):
            body.write(lease.compact)
            return .lease
        case .checked(let date):
            body.write(date)
            return .checked
        case .time(let date):
            body.write(date)
            return .time
        }
    }

    private mutating func encode(_ proof: StoredProof, _ body: inout ByteWriter, _ frame: inout ByteWriter) {
        let facts = proof.facts
        var flags: Flags = []
        if facts.isConsumable { flags.insert(.isConsumable) }
        if facts.isRevoked { flags.insert(.isRevoked) }
        if facts.original == facts.id { flags.insert(.isOriginal) }
        if facts.appAccountToken != nil { flags.insert(.hasToken) }
        if facts.charge != nil { flags.insert(.hasCharge) }
        if facts.addsCredits { flags.insert(.addsCredits) }
        if proof.renewal != nil { flags.insert(.hasRenewal) }
        body.write(byte: flags.rawValue)
        body.write(facts.id.rawValue)
        if !flags.contains(.isOriginal) { body.write(facts.original.rawValue) }
        body.write(facts.product.rawValue)
        if let token = facts.appAccountToken { body.write(token.rawValue) }
        if let charge = facts.charge { body.write(charge) }
        body.write(facts.purchaseDate)
        body.write(facts.signedDate)
        for parts in [proof.transaction, proof.renewal].compactMap({ $0 }) {
            body.write(count: number(of: parts.header, &frame))
            body.write(parts.signature)
            body.write(parts.payload)
        }
    }

    /// Returns the number of a header; adds an entry for a new header to the frame.
    private mutating func number(of header: String, _ frame: inout ByteWriter) -> Int {
        if let number = numbers[header] { return number }
        frame.write(byte: Kind.header.rawValue)
        frame.write(header)
        return add(header)
    }

    @discardableResult
    private mutating func add(_ header: String) -> Int {
        numbers[header] = headers.count
        headers.append(header)
        return headers.count - 1
    }

    private static func json(_ value: some Encodable) throws(VaultError) -> Data {
        do { return try JSONEncoder().encode(value) } catch { throw .storage(reason: "the contents can't be encoded") }
    }

    // MARK: - Decoding

    /// Decodes the entries of a frame, and appends those that a closure includes to an array.
    ///
    /// - Throws: ``VaultError/unsupportedVersion`` for an entry of an unknown kind, ``VaultError/tampered`` for an entry that can't be
    ///   decoded.
    mutating func decode(
        _ frame: Data, into entries: inout [VaultEntry], where isIncluded: (VaultEntry) -> Bool = { _ in true }
    ) throws(VaultError) {
        var reader = ByteReader([UInt8](frame))
        while !reader.isAtEnd {
            // Report the version, because a newer version of the app can write other kinds of entries.
            guard let kind = Kind(rawValue: try reader.byte()) else { throw .unsupportedVersion }
            if kind == .header {
                add(try reader.text())
            } else {
                var body = try reader.nested()
                let entry = try entry(kind, &body)
                if isIncluded(entry) { entries.append(entry) }
                // Report the version, because a newer version of the app can write longer entries.
                guard body.isAtEnd else { throw .unsupportedVersion }
            }
        }
    }

    private func entry(_ kind: Kind, _ body: inout ByteReader) throws(VaultError) -> VaultEntry {
        switch kind {
        case .header: throw .tampered
        case .began: return .began
        case .restored: return .restored
        case .reconciled: return .reconciled
        case .proof: return .proof(try proof(&body))
        case .customer: return .customer(body.isAtEnd ? nil : CustomerID(try body.text()))
        case .delivered:
            let id = TransactionID(try body.text())
            var credits: [DeliveredCredits] = []
            while !body.isAtEnd {
                credits.append(DeliveredCredits(currency: CurrencyID(try body.text()), amount: try body.integer()))
            }
            return .delivered(id, credits)
        case .attributed: return .attributed(TransactionID(try body.text()), try body.flag())
        case .listed: return .listed(try Self.transactions(&body))
        case .unconfirmed: return .unconfirmed(try Self.transactions(&body))
        case .foreign: return .foreign(try Self.transactions(&body))
        case .balancesImported: return .balancesImported
        case .moved: return .moved
        case .verified: return .verified(refused: try Self.transactions(&body))
        case .refundSubmitted: return .refundSubmitted(TransactionID(try body.text()))
        case .debited: return .debited(try Self.value(&body))
        case .debitEnded: return .debitEnded(try body.text(), isAccepted: try body.flag())
        case .statement: return .statement(try Self.value(&body))
        case .pending: return .pending(try Self.value(&body))
        case .pendingEnded:
            guard let id = UUID(uuidString: try body.text()) else { throw .tampered }
            return .pendingEnded(id)
        case .content: return .content(ProductID(try body.text()), try Self.value(&body))
        case .download:
            let product = ProductID(try body.text())
            guard !body.isAtEnd else { return .download(product, nil) }
            // Report the version, because a newer version of the app can write other requests.
            guard let request = DownloadRequest(rawValue: try body.byte()) else { throw .unsupportedVersion }
            return .download(product, request)
        case .value: return .value(try body.text(), Data(try body.slice()))
        case .lease: return .lease(SignedLease(try body.text()))
        case .checked: return .checked(try body.date())
        case .time: return .time(try body.date())
        }
    }

    private func proof(_ body: inout ByteReader) throws(VaultError) -> StoredProof {
        let flags = Flags(rawValue: try body.byte())
        guard Flags.known.isSuperset(of: flags) else { throw .unsupportedVersion }
        let id = TransactionID(try body.text())
        let original = flags.contains(.isOriginal) ? id : TransactionID(try body.text())
        let product = ProductID(try body.text())
        let token = flags.contains(.hasToken) ? CustomerID(try body.text()) : nil
        let charge = flags.contains(.hasCharge) ? try body.text() : nil
        let (purchaseDate, signedDate) = (try body.date(), try body.date())
        let transaction = try parts(&body)
        let renewal = flags.contains(.hasRenewal) ? try parts(&body) : nil
        return StoredProof(
            facts: ProofFacts(
                id: id, original: original, product: product, isConsumable: flags.contains(.isConsumable),
                isRevoked: flags.contains(.isRevoked), appAccountToken: token, charge: charge, addsCredits: flags.contains(.addsCredits),
                purchaseDate: purchaseDate, signedDate: signedDate, signature: StoredProof.prefix(transaction.signature),
                renewalSignature: renewal.map { StoredProof.prefix($0.signature) }),
            transaction: transaction, renewal: renewal)
    }

    private func parts(_ body: inout ByteReader) throws(VaultError) -> StoredProof.Parts {
        let number = try body.count()
        guard headers.indices.contains(number) else { throw .tampered }
        let signature = try body.slice()
        return StoredProof.Parts(header: headers[number], payload: try body.slice(), signature: signature)
    }

    private static func transactions(_ body: inout ByteReader) throws(VaultError) -> [TransactionID] {
        var transactions: [TransactionID] = []
        while !body.isAtEnd { transactions.append(TransactionID(try body.text())) }
        return transactions
    }

    private static func value<Value: Decodable>(_ body: inout ByteReader) throws(VaultError) -> Value {
        let json = Data(try body.slice())
        // Report the version, because JSON without a required member is from another version of the app. An unknown member is ignored, so a
        // new member needs a new kind of entry.
        do { return try JSONDecoder().decode(Value.self, from: json) } catch { throw .unsupportedVersion }
    }
}
