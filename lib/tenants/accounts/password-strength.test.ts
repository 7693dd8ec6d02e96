import { expect, test } from "vitest";
import { requireGoodPassword } from "@/lib/tenants/accounts/password-strength";

const ann = { email: "annabel.ashington@example.com", name: "Annabel Ashington" };
const check = (password: string) => requireGoodPassword(password, ann);

test.each([
  "1234567890",
  "password12",
  "Password1234",
  "P@ssw0rd2024",
  "aaaaaaaaaa",
  "qwertyuiop",
  "qwerty123456",
  "monkeymonkey",
  "iloveyou12",
  "annabel.ashington@example.com",
  "ANNABEL.ASHINGTON@EXAMPLE.COM",
  "annabel.ashington",
  "Annabel Ashington",
  "ashington2024",
  "metacode123",
])("%s is refused as easy to guess", async (password) => {
  await expect(check(password)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    field: "password",
    message: expect.stringContaining("easy to guess"),
  });
});

test("an address longer than the examined part is refused, too", async () => {
  const email = "kx3vq81zt5hpw02mj76rd94lyq8w3e5r7t9@example.com";
  const refused = requireGoodPassword(email, { ...ann, email });
  await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test.each([
  "correct horse",
  "jk3!xq90pl",
  "seven little unlikely words",
  "häuschen am großen see",
  "8d1f0c2b7e",
])("%s is accepted: no kinds of characters are required", async (password) => {
  await expect(check(password)).resolves.toBeUndefined();
});

test.each(["too short", "x".repeat(201)])("%s has a wrong length", async (password) => {
  const refused = requireGoodPassword(password, ann, "newPassword");
  await expect(refused).rejects.toMatchObject({
    field: "newPassword",
    message: "newPassword must have 10 to 200 characters",
  });
});
