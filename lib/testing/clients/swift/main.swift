import Foundation

let arguments = CommandLine.arguments
let key = arguments[2]
let client = Metacode(baseURL: arguments[1]) { ["x-api-key": key] }
let users = ["bob", "anna", "carl", "eve"]
for uid in users { await client.clear(uid: uid) }
let anna = try await client.referrer(uid: "anna", name: "Anna")
func refusal(_ send: () async throws -> Any) async throws -> MetacodeError? {
    do {
        _ = try await send()
        return nil
    } catch let error as MetacodeError {
        return error
    }
}
var refused: [Int] = []
for _ in 1...3 {
    let error = try await refusal { try await client.redeem(refereeUid: "bob", metacode: anna.metacode) }
    refused.append(error?.status ?? 200)
}
let requestID = try await refusal { try await client.redeem(refereeUid: "carl", metacode: "unknown2") }?.requestID
let first = try await client.redeem(refereeUid: "bob", metacode: anna.metacode)
let (again, words) = await redeem(anna.metacode + " ", uid: "bob", with: client)
refused.append(try await refusal { try await client.claim(uid: "anna") }?.status ?? 200)
let id = "019aa3c2-7d11-7c52-9d36-5f1a0c9be2f4"
for (path, click) in [("r/anna2345?click_id=\(id)", id), ("r/anna2345?click_id=mangled", nil)] {
    let invitation = Invitation(URL(string: "https://a.example/\(path)")!)
    precondition(invitation?.metacode == "anna2345" && invitation?.clickID == click, path)
}
precondition(Invitation(URL(string: "https://a.example/docs")!) == nil)
let rewards = await claim(uid: "anna", with: client).0.map(\.code)
var codes: [String: [String]] = [:]
for uid in users where uid != "carl" { codes[uid] = await client.codes(uid: uid).map(\.code) }
let report: [String: Any] = [
    "metacode": anna.metacode, "code": first.code, "again": again?.code ?? "", "words": words, "rewards": rewards,
    "codes": codes, "refused": refused, "requestId": requestID ?? "",
]
print(String(decoding: try JSONSerialization.data(withJSONObject: report), as: UTF8.self))
