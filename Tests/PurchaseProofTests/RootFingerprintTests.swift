import Testing

@testable import PurchaseProof

@Suite struct RootFingerprintTests {
    @Test(arguments: [
        (
            RootFingerprint.appleRootCA,
            "B0:B1:73:0E:CB:C7:FF:45:05:14:2C:49:F1:29:5E:6E:DA:6B:CA:ED:7E:2C:68:C5:BE:91:B5:A1:10:01:F0:24"
        ),
        (
            RootFingerprint.appleRootCAG3,
            "63:34:3A:BF:B8:9A:6A:03:EB:B5:7E:9B:3F:5F:A7:BE:7C:4F:5C:75:6F:30:17:B3:A8:C4:88:C3:65:3E:91:79"
        ),
    ])
    func `the pinned roots are those that Apple publishes`(root: RootFingerprint, published: String) {
        #expect(root.description == published)
    }
}
