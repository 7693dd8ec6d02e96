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
var requestID: String?
do {
    _ = try await client.redeem(refereeUid: "carl", metacode: "unknown2")
} catch let error as MetacodeError {
    requestID = error.requestID
}
let id = "019aa3c2-7d11-7c52-9d36-5f1a0c9be2f4"
for (path, click) in [("r/anna2345?click_id=\(id)", id), ("r/anna2345?click_id=mangled", nil)] {
    let invitation = Invitation(URL(string: "https://a.example/\(path)")!)
    precondition(invitation?.metacode == "anna2345" && invitation?.clickID == click, path)
}
precondition(Invitation(URL(string: "https://a.example/docs")!) == nil)
let rewards = await claim(uid: "anna", with: client).0.map(\.code)
let codes = await client.codes().map(\.code)
let report: [String: Any] = [
    "metacode": anna.metacode, "code": first.code, "again": again?.code ?? "", "words": words, "rewards": rewards,
    "codes": codes, "refused": refused, "requestId": requestID ?? "",
]
print(String(decoding: try JSONSerialization.data(withJSONObject: report), as: UTF8.self))
