import Crypto

/// The hash that binds a receipt to one device.
package enum DeviceHash {
    /// SHA-1( GUID ‖ attribute 4 ‖ octets of attribute 2, inner tag and length included ).
    ///
    /// - Parameters:
    ///   - guid: The device's 16 bytes in printed order, or a Mac's six-byte MAC address.
    ///   - opaqueValue: Attribute 4.
    ///   - bundleOctets: Attribute 2 as it lies in the receipt, not its text.
    package static func bytes(guid: [UInt8], opaqueValue: [UInt8], bundleOctets: [UInt8]) -> [UInt8] {
        Array(Insecure.SHA1.hash(data: guid + opaqueValue + bundleOctets))
    }
}
