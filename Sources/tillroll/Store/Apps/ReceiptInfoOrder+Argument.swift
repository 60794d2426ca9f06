public import ArgumentParser
public import PurchaseModel

extension ReceiptInfoOrder: ExpressibleByArgument {}
