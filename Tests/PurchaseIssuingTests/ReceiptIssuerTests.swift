import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing

@testable import PurchaseIssuing

@Suite struct ReceiptIssuerTests {
    /// The numbers of the attributes of a SET, in its order.
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

    @Test func `a receipt has exactly the attributes of one from an iPhone's sandbox`() throws {
        let payload = try DER.parse(ReceiptContent.sample([.sample(), .sample(id: "2")]).encoded(random: .system))
        let expected = Array(0...17) + [17, 18, 19, 20, 25]
        #expect(try types(payload).sorted() == expected)
    }

    @Test func `a receipt that ends says so in attribute 21`() throws {
        var content = ReceiptContent.sample([])
        content.expirationDate = .testStart
        #expect(try types(DER.parse(content.encoded(random: .system))).contains(21))
    }

    @Test(arguments: ProductType.allCases)
    func `a purchase has the attributes 1701 to 1718, and 1719 when it renews`(type: ProductType) throws {
        let set = try EncodedAttribute.encode(ReceiptContent.Purchase(transaction: .sample(type: type), type: type).attributes)
        let expected = Array(1701...(type == .autoRenewable ? 1719 : 1718))
        #expect(try types(DER.parse(set)).sorted() == expected)
    }

    @Test func `sets are sorted as DER demands`() throws {
        let payload = try ReceiptContent.sample([.sample(), .sample(id: "2")]).encoded(random: .system)
        guard case .constructed(let attributes) = try DER.parse(payload).content else { return }
        let encodings = attributes.map { Array($0.encodedBytes) }
        #expect(encodings.count == 23)
        #expect(zip(encodings, encodings.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test func `receipts differ only where Apple's do`() throws {
        let one = try ReceiptContent.sample().encoded(random: RandomBytes { [UInt8](repeating: 1, count: $0) })
        let same = try ReceiptContent.sample().encoded(random: RandomBytes { [UInt8](repeating: 1, count: $0) })
        let two = try ReceiptContent.sample().encoded(random: RandomBytes { [UInt8](repeating: 2, count: $0) })
        #expect(one == same)
        #expect(one.count == two.count)
        // Attributes 4, 6 and 7 have 16, 64 and 56 bytes, all different; the 20 of attribute 5 may agree here and there.
        let differences = zip(one, two).count { $0 != $1 }
        #expect((136...156).contains(differences))
    }

    @Test func `a receipt needs a device with a UUID`() {
        #expect(throws: IssuingError.deviceIsNoUUID) { try TestAuthority.shared.receipts.issue(.sample(device: "my phone")) }
    }
}
