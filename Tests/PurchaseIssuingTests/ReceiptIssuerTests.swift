import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing

@testable import PurchaseIssuing

@Suite struct ReceiptIssuerTests {
    /// Returns the types of the attributes of a SET, in order.
    private func types(_ set: ASN1Node) throws -> [Int] {
        guard case .constructed(let attributes) = set.content else { return [] }
        return try attributes.map { attribute in
            try DER.sequence(attribute, identifier: .sequence) { fields in
                let type = try Int(derEncoded: &fields)
                while fields.next() != nil {}
                return type
            }
        }
    }

    @Test func `a receipt has exactly the attributes of an iPhone's sandbox receipt`() throws {
        let payload = try DER.parse(ReceiptContent.sample([.sample(), .sample(id: "2")]).encoded(random: .system))
        let expected = Array(0...17) + [17, 18, 19, 20, 25]
        #expect(try types(payload).sorted() == expected)
    }

    @Test func `attribute 21 has the expiration date of a receipt`() throws {
        var content = ReceiptContent.sample([])
        content.expirationDate = .testStart
        #expect(try types(DER.parse(content.encoded(random: .system))).contains(21))
    }

    @Test(arguments: ProductType.allCases)
    func `a purchase has attributes 1701 to 1718, and 1719 for an auto-renewable subscription`(type: ProductType) throws {
        let set = try EncodedAttribute.encode(ReceiptContent.Purchase(transaction: .sample(type: type), type: type).attributes)
        let expected = Array(1701...(type == .autoRenewable ? 1719 : 1718))
        #expect(try types(DER.parse(set)).sorted() == expected)
    }

    @Test func `a receipt can have the attributes of production`() throws {
        var content = ReceiptContent.sample([.sample(type: .autoRenewable)], environment: .production)
        content.appAppleID = 1_234_567_890
        content.downloadID = 500_884_273_459_218_651
        content.downloadDate = .testStart
        content.purchases[0].itemID = 9
        content.purchases[0].isTrialPeriod = true
        content.purchases[0].isInIntroOfferPeriod = true
        content.purchases[0].promotionalOfferID = "come back"
        content.purchases[0].isFamilyShared = true
        content.purchases[0].transaction.revocationDate = .testStart
        let attributes = try octets(content.attributes(random: .system))
        #expect(attributes[0] == [0x0C, 10] + Array("Production".utf8))
        #expect(attributes[1] == [0x02, 4, 0x49, 0x96, 0x02, 0xD2])
        #expect(attributes[8] == [0x16, 20] + Array("2025-01-31T12:34:56Z".utf8))
        #expect(attributes[15] == [0x02, 8, 0x06, 0xF3, 0x7F, 0x97, 0xC9, 0x1D, 0xC8, 0xDB])
        let purchase = try octets(content.purchases[0].attributes)
        #expect(purchase[1710] == [0x02, 1, 9])
        #expect(purchase[1712] == [0x16, 20] + Array("2025-01-31T12:34:56Z".utf8))
        #expect(purchase[1713] == [0x02, 1, 1])
        #expect(purchase[1719] == [0x02, 1, 1])
        #expect(purchase[1721] == [0x0C, 9] + Array("come back".utf8))
        #expect(purchase[1722] == [0x02, 1, 1])
    }

    @Test(arguments: [(AppEnvironment.production, "ProductionVPP"), (.sandbox, "ProductionVPPSandbox")])
    func `a volume purchase has its receipt type, organization and expiration date`(environment: AppEnvironment, type: String) throws {
        var content = ReceiptContent.sample([], environment: environment)
        content.volumePurchaser = "School"
        content.expirationDate = .testStart
        let attributes = try octets(content.attributes(random: .system))
        #expect(attributes[0] == [0x0C, UInt8(type.utf8.count)] + Array(type.utf8))
        #expect(attributes[21] == [0x16, 20] + Array("2025-01-31T12:34:56Z".utf8))
        #expect(attributes[23] == [0x0C, 6] + Array("School".utf8))
    }

    @Test func `a Mac's receipt lacks attribute 20`() throws {
        var content = ReceiptContent.sample([])
        content.macAddress = [1, 2, 3, 4, 5, 6]
        let attributes = try octets(content.attributes(random: .system))
        #expect(attributes.keys.sorted() == Array(0...16) + [18, 19, 25])
        #expect(attributes[25] == [0x02, 1, 2])
    }

    /// Returns the octets of each attribute by type.
    private func octets(_ attributes: [EncodedAttribute]) throws -> [Int64: [UInt8]] {
        try Dictionary(attributes.map { ($0.number, $0.octets) }) { _, _ in throw IssuingError.missingKey }
    }

    @Test func `sets are sorted according to DER`() throws {
        let payload = try ReceiptContent.sample([.sample(), .sample(id: "2")]).encoded(random: .system)
        guard case .constructed(let attributes) = try DER.parse(payload).content else { return }
        let encodings = attributes.map { Array($0.encodedBytes) }
        #expect(encodings.count == 23)
        #expect(zip(encodings, encodings.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test func `two receipts differ in random attributes only`() throws {
        let one = try ReceiptContent.sample().encoded(random: RandomBytes { [UInt8](repeating: 1, count: $0) })
        let same = try ReceiptContent.sample().encoded(random: RandomBytes { [UInt8](repeating: 1, count: $0) })
        let two = try ReceiptContent.sample().encoded(random: RandomBytes { [UInt8](repeating: 2, count: $0) })
        #expect(one == same)
        #expect(one.count == two.count)
        // The 136 bytes of attributes 4, 6 and 7 all differ. Some of the 20 bytes of attribute 5 may be equal.
        let differences = zip(one, two).count { $0 != $1 }
        #expect((136...156).contains(differences))
    }

    @Test func `a receipt needs a device with a UUID`() {
        #expect(throws: IssuingError.deviceIsNotUUID) { try TestAuthority.shared.receipts.issue(.sample(device: "my phone")) }
    }
}
