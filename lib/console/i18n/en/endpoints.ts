/** Relayed endpoints. */
export const endpoints = {
  "embed": "Embeddings",
  "complete": "Completions",
  "generate-image": "Image generations",
  "edit-image": "Image edits",
  "speak": "Speech",
  "transcribe": "Transcriptions",
  "translate": "Audio translations",
  "moderate": "Moderations",
  "rerank": "Rerank",
};

/** The link to the API reference. */
export const apiReference = "API reference";
