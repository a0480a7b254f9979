// Package faces compares two photographs and says whether they show one person: the one-to-one verifier behind
// mugshot_match. It is a port of published networks: a detector of faces (tiny YOLO), 68 landmarks, and a
// descriptor of 128 numbers (dlib's ResNet). Their weights are of the npm package @vladmandic/face-api.
//
// It compares two pictures that somebody else has paired, and nothing more. It has no gallery, searches nothing,
// and gives no descriptor out: descriptors live in memory for one comparison. A picture without exactly one
// dominant face, with a small face, or with one that looks aside is inconclusive.
package faces
