// Package raw looks after raw documents and quarantined rows, which may name anybody: they are encrypted at rest (Seal), lie
// in clear only below a Directory while a run reads them, and expire (ExpireWorker).
//
// Package ingest writes and reads them through models/source. This package knows neither sources nor records.
package raw
