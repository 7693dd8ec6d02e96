import Foundation

let arguments = CommandLine.arguments
let key = arguments[2]
let client = Metacode(baseURL: arguments[1]) { ["x-api-key": key] }
await client.clear()
let anna = try await client.referrer(uid: "anna", name: "Anna")
let first = try await client.redeem(refereeUid: "bob", metacode: anna.metacode)
let (again, words) = await redeem(anna.metacode + " ", uid: "bob", with: client)
var refused = 200
do {
    _ = try await client.claim(uid: "anna")
} catch let error as MetacodeError {
    refused = error.status
}
let rewards = await claim(uid: "anna", with: client).0.map(\.code)
let codes = await client.codes().map(\.code)
let report: [String: Any] = [
    "metacode": anna.metacode, "code": first.code, "again": again?.code ?? "", "words": words, "rewards": rewards,
    "codes": codes, "refused": refused,
]
print(String(decoding: try JSONSerialization.data(withJSONObject: report), as: UTF8.self))
