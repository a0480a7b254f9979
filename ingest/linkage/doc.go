// Package linkage keeps the links between bookings, court cases and corrections records current, and explains them.
//
// A run reads what changed from models/link, compares people by package match, and writes the links back. The job queue
// works one run at a time: of what changed every few minutes, of everything every night. Package ingest asks for a run
// after each snapshot that changed people. The package decides nothing about records and reads no sources.
package linkage
