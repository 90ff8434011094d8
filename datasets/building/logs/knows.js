// A provider that knows some of the answers, as a coin for each question and call decides.
const crypto = require("crypto");

module.exports = class Knows {
  constructor(options) {
    this.name = options.id;
    this.share = options.config.share;
    this.asked = 0;
  }
  id() {
    return this.name;
  }
  async callApi(prompt) {
    this.asked += 1;
    const right = prompt.match(/\d+/g).map(Number).reduce((a, b) => a + b);
    const digest = crypto.createHash("md5").update(`${this.name} ${prompt} ${this.asked}`).digest();
    return { output: digest[0] / 256 < this.share ? String(right) : "None of them" };
  }
};
