public import ArgumentParser
package import PurchaseModel

extension ReceiptInfoOrder: ExpressibleByArgument {}
