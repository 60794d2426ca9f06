/// The keys of each kind of object in a `.storekit` file, with the first file version that is known to have the key.
///
/// Keys with the prefix `_tillroll` are additions of this store, which Xcode ignores.
enum StorekitKeys {
    typealias Table = [String: StorekitVersion]

    private static let v1 = StorekitVersion(1, 0)
    private static let v11 = StorekitVersion(1, 1)
    private static let v12 = StorekitVersion(1, 2)
    private static let v3 = StorekitVersion(3, 0)
    private static let v4 = StorekitVersion(4, 0)
    private static let v5 = StorekitVersion(5, 0)
    private static let v63 = StorekitVersion(6, 3)

    static let file: Table = [
        "version": v1, "products": v1, "subscriptionGroups": v1, "settings": v1, "identifier": v11, "nonRenewingSubscriptions": v11,
        "subscriptionOffersKeyPair": v3, "appPolicies": v4,
    ]
    /// The keys of the file whose values the store ignores, because it has no subscription bundles and suites.
    static let ignored: Table = ["subscriptionBundleGroups": v63, "subscriptionSuiteGroups": v63]
    static let version: Table = ["major": v1, "minor": v1]
    static let keyPair: Table = ["id": v3, "privateKey": v3]
    static let policies: Table = ["eula": v4, "policies": v4]
    static let policy: Table = ["locale": v4, "policyText": v4, "policyURL": v4]
    static let product: Table = [
        "displayPrice": v1, "familyShareable": v1, "internalID": v1, "localizations": v1, "productID": v1, "referenceName": v1, "type": v1,
        "_tillrollPrices": v1,
    ]
    static let subscription: Table = product.merging([
        "recurringSubscriptionPeriod": v1, "subscriptionGroupID": v1, "groupNumber": v1, "introductoryOffer": v1, "adHocOffers": v1,
        "codeOffers": v12, "winbackOffers": v4, "promotionalImageID": v4, "introductoryOffers": v5, "billingPlans": v5,
        "_tillrollSeats": v1,
    ]) { own, _ in own }
    static let seats: Table = ["invitationManagement": v1, "priceTiers": v1, "purchaserTakesSeat": v1]
    static let priceTier: Table = ["minimumSeats": v1, "displayPrice": v1]
    static let localization: Table = ["locale": v1, "displayName": v1, "description": v1]
    static let group: Table = ["id": v1, "name": v1, "localizations": v1, "subscriptions": v1]
    static let billingPlan: Table = [
        "billingPlanType": v5, "displayPrice": v5, "commitmentDisplayPrice": v5, "internalID": v5, "isEnabled": v5,
    ]
    private static let offer: Table = [
        "internalID": v1, "paymentMode": v1, "subscriptionPeriod": v1, "numberOfPeriods": v1, "displayPrice": v1, "billingPlanType": v5,
    ]
    static let introductoryOffer: Table = offer
    static let promotionalOffer: Table = offer.merging(["offerID": v1, "referenceName": v1]) { own, _ in own }
    static let codeOffer: Table = offer.merging(["referenceName": v12, "eligibility": v12, "isStackable": v12]) { own, _ in own }
    static let winBackOffer: Table = offer.merging(["offerID": v4, "referenceName": v4, "isEligible": v4]) { own, _ in own }
    static let settings: Table = [
        "_locale": v11, "_storefront": v11, "_timeRate": v11, "_askToBuyEnabled": v11, "_billingIssuesEnabled": v11,
        "_failTransactionsEnabled": v3, "_storeKitErrors": v3, "_compatibilityTimeRate": v3, "_applicationInternalID": v3,
        "_developerTeamID": v3, "_lastSynchronizedDate": v3, "_renewalBillingIssuesEnabled": v4, "_billingGracePeriodEnabled": v4,
        "_disableDialogs": v4,
    ]
    static let simulatedError: Table = ["name": v3, "enabled": v3, "current": v3]
    static let simulatedErrorChoice: Table = ["type": v3, "index": v3]
}
