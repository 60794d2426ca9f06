// The enumerations of StoreKit 1, which are C's.
@_exported public import CStoreKit
// StoreKit brings Foundation along, and apps rely on it: many files that use `Date` or `URL` import StoreKit alone.
@_exported public import Foundation

// On Apple's platforms this style is Foundation's. The rest of OpenStoreKit is imported by name.
@_exported public import struct OpenStoreKit.PeriodFormatStyle
