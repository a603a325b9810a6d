/** Recorded requests and answers: for which keys and accounts, and the contents themselves. */
export {
  getRecordedContent,
  type RecordedBody,
  type RecordedContent,
  recordedContentEnd,
  saveRecordedContent,
} from "./recorded_content.ts";
export {
  getRecording,
  listRecordings,
  type RecordedSubject,
  type Recording,
  startRecording,
  stopRecording,
} from "./recording.ts";
