// Package customer is the commands about accounts and their API keys: `rollcall account` and `rollcall key`.
//
// It parses flags and prints. What an account or key is, is in models and package auth.
package customer
