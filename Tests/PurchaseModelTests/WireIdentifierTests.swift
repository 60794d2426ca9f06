import PurchaseModel
import Testing

@Suite struct WireIdentifierTests {
    @Test func `canonically equivalent identifiers are different`() {
        let (latin, kelvin) = ("com.example.Kiosk", "com.example.\u{212A}iosk")
        #expect(latin == kelvin)
        // Both operators are checked, because the standard library has overloads of both.
        let (one, other): (BundleID, BundleID) = (BundleID(latin), BundleID(kelvin))
        #expect(one != other)
        #expect(!(one == other))
        #expect([one].contains(other) == false)
        #expect(Set([TransactionID("K1"), TransactionID("\u{212A}1")]).count == 2)
        #expect(BundleID(latin) < BundleID(kelvin))
        #expect(BundleID(latin) == "com.example.Kiosk")
    }
}
