// StoreKit brings Foundation along, and apps rely on it: many files that use `Date` or `URL` import StoreKit alone.
@_exported public import Foundation
