import Crypto

/// The SHA-256 of a root certificate's DER form.
struct RootFingerprint: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Apple Root CA (2006-2035), which roots every app receipt.
    static let appleRootCA = RootFingerprint(
        0xB0B1_730E_CBC7_FF45, 0x0514_2C49_F129_5E6E, 0xDA6B_CAED_7E2C_68C5, 0xBE91_B5A1_1001_F024
    )
    /// Apple Root CA - G3 (2014-2039), which roots signed transactions and notifications.
    static let appleRootCAG3 = RootFingerprint(
        0x6334_3ABF_B89A_6A03, 0xEBB5_7E9B_3F5F_A7BE, 0x7C4F_5C75_6F30_17B3, 0xA8C4_88C3_653E_9179
    )
    /// The certificate that signs receipts in StoreKit testing (2020-2040); its key ships with every Xcode.
    static let storeKitTest = RootFingerprint(
        0xFF0B_A36E_721D_2DB7, 0x41D2_AA11_E611_2EF7, 0x8BF7_131B_46C7_F035, 0xB008_91D0_45C8_64FE
    )

    /// The fingerprint of a certificate in DER, of exactly the bytes that came.
    init(of certificate: [UInt8]) {
        bytes = Array(SHA256.hash(data: certificate))
    }

    private init(_ words: UInt64...) {
        bytes = words.flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) } }
    }

    /// Pairs of upper-case digits joined by colons, as certificate tools print it.
    var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}
