import type { endpoints as english } from "../en/endpoints.ts";

export const endpoints: typeof english = {
  "embed": "向量嵌入",
  "complete": "文本补全",
  "generate-image": "图像生成",
  "edit-image": "图像编辑",
  "speak": "语音合成",
  "transcribe": "语音转写",
  "translate": "语音翻译",
  "moderate": "内容审核",
  "rerank": "重排序",
};

export const apiReference = "API 参考";
