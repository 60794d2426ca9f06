/// The numbers of receipt attributes that are read or written here, with the meaning that was found for each.
package enum ReceiptField: Int64, CaseIterable, Sendable {
    // About the app.
    case receiptType = 0
    case appAppleID = 1
    case bundleID = 2
    case appVersion = 3
    case opaqueValue = 4
    case deviceHash = 5
    case unknown6 = 6
    case unknown7 = 7
    case downloadDate = 8
    case toolVersion = 9
    case ageRating = 10
    case developerID = 11
    case creationDate = 12
    case clientVersion = 13
    case deviceModel = 14
    case downloadID = 15
    case versionExternalID = 16
    case purchase = 17
    case originalPurchaseDate = 18
    case originalAppVersion = 19
    case unknown20 = 20
    case expirationDate = 21
    case unknown22 = 22
    case organisation = 23
    case platform = 25
    case preorderDate = 32

    // About one purchase.
    case quantity = 1701
    case productID = 1702
    case transactionID = 1703
    case purchaseDate = 1704
    case originalTransactionID = 1705
    case purchaseOriginalDate = 1706
    case productType = 1707
    case expiresDate = 1708
    case unknown1709 = 1709
    case itemID = 1710
    case webOrderLineItemID = 1711
    case cancellationDate = 1712
    case isTrialPeriod = 1713
    case unknown1714 = 1714
    case unknown1715 = 1715
    case unknown1716 = 1716
    case unknown1717 = 1717
    case unknown1718 = 1718
    case isInIntroOfferPeriod = 1719
    case cancellationReason = 1720
    case promotionalOfferID = 1721
    case ownership = 1722

    /// Whether the meaning is known, so that it is read and must not be there twice.
    var isRead: Bool {
        switch self {
        case .unknown6, .unknown7, .unknown20, .unknown22: false
        case .unknown1709, .unknown1714, .unknown1715, .unknown1716, .unknown1717, .unknown1718: false
        default: true
        }
    }
}
